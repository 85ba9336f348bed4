/** The version of the service (Semantic Versioning). `npm run release` sets it. */
export const VERSION = '2.1.0'
