/** A flat object as JSON, with its keys in alphabetical order: the only form in which it is sealed. */
export const canonicalJson = (fields: object): string =>
  JSON.stringify(fields, Object.keys(fields).toSorted())
