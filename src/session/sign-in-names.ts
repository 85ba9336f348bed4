/** What somebody typed to sign in: an e-mail address, or an employee number. */
export interface SignInName {
  email_key: string
  /** Null if an address was typed. */
  number: string | null
}

interface Account {
  email_key: string
  employee_id: string | null
}

const inLowerCase = (number: string): string => number.toLowerCase()

const withoutZeros = (number: string): string => inLowerCase(number).replace(/^0+(?=.)/, '')

/** As the pages of 2.0 wrote a number. */
const withDashes = (number: string): string => inLowerCase(number).replace(/[^\w.+-]/g, '-')

/**
 * The account that a name leads to: its own person's, or none. A number is compared exactly, without
 * case, without leading zeros, and as older pages sent it. Each of these counts only if it leads to
 * one account. The stored address comes last, since it may look like another person's number.
 */
export const chooseAccount = <A extends Account>(
  accounts: readonly A[],
  { email_key, number }: SignInName,
): A | undefined => {
  const theOnly = (formOf: (number: string) => string, form: string) => {
    const found = accounts.filter((one) => one.employee_id && formOf(one.employee_id) === form)
    return found.length === 1 ? found[0] : undefined
  }
  const byNumber = (typed: string) =>
    theOnly((own) => own, typed) ??
    theOnly(inLowerCase, inLowerCase(typed)) ??
    theOnly(withoutZeros, withoutZeros(typed)) ??
    theOnly(withDashes, inLowerCase(typed))
  const byAddress = accounts.find((one) => one.email_key === email_key)
  return (number === null ? undefined : byNumber(number)) ?? byAddress
}

/** The name whose attempts are counted together if it leads to no account. */
export const unknownName = ({ email_key, number }: SignInName): string =>
  number === null ? email_key : `${withDashes(withoutZeros(number))}@`
