/** A bundle that stands beside the driver when it runs. */
declare module '*.bundle.js' {
  const service: { fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> }
  export default service
}
