/**
 * Moves the clock of this runtime, which goes on from there. Only `Date` is moved; timers are not.
 * Browsers get this function as text, so it uses nothing from outside.
 */
export const shiftDate = (ms: number): void => {
  const RealDate = Date
  const now = () => RealDate.now() + ms
  globalThis.Date = new Proxy(RealDate, {
    apply: () => new RealDate(now()).toString(),
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  })
}
