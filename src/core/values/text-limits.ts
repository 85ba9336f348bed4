/** The most Unicode code points that texts of employees and users may have. */

export const NAME_MAX = 200
export const ADDRESS_MAX = 254
/** The limit of every other text. Ids and passwords have rules of their own. */
export const TEXT_MAX = 100
