/** The names of the classes of a style sheet, which the build makes unique. */
declare module '*.module.css' {
  const names: Record<string, string>
  // biome-ignore lint/style/noDefaultExport: this is what the bundler exports
  export default names
}
declare module '*.css'
