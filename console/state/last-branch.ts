import { signedIn } from '../api/session.ts'

const LAST_BRANCH = 'checada.branch'

/** The branch that was chosen last on this device, if the user still sees it. */
export const lastBranch = (): string | undefined => {
  const last = localStorage.getItem(LAST_BRANCH) ?? ''
  return signedIn().branches.some(({ branch_office }) => branch_office === last) ? last : undefined
}

export const rememberBranch = (branch: string | undefined): void =>
  branch ? localStorage.setItem(LAST_BRANCH, branch) : localStorage.removeItem(LAST_BRANCH)
