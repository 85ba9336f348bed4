/** The version of the service (Semantic Versioning). `npm run release` sets it. */
export const VERSION = '1.0.0'
