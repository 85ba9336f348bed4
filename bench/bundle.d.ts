/** A bundle that is loaded beside the driver. */
declare module '*.bundle.js' {
  const service: { fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> }
  export default service
}
