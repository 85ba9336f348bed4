/** The database of a command. Without an installation, it is the local database. */
export interface Target {
  installation?: string
  /** The folder of the local state, as in `wrangler dev --persist-to`, if it is not the default. */
  persistTo?: string
  /** Variables of the local service that differ from those of its files. */
  var?: Record<string, string>
}
