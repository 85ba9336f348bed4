/** Whether a tax id is a person's own. Many people without one may share a generic one. */
export const isOwnRfc = (rfc: string): boolean => rfc !== '' && !/^X[AE]XX010101000$/i.test(rfc)
