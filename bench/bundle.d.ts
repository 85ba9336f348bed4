/** The type of a bundled service that the driver imports. */
declare module '*.bundle.js' {
  const service: { fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> }
  export default service
}
