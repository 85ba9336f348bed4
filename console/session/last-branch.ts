import { branchNames } from './session.ts'
import { browserStorage } from './storage.ts'

const LAST_BRANCH_KEY = 'checada.branch'

/** The branch that was chosen last on this device, if the user may still see it. */
export const lastBranch = (): string | undefined => {
  const last = browserStorage.getItem(LAST_BRANCH_KEY) ?? ''
  return branchNames().includes(last) ? last : undefined
}

export const rememberBranch = (branch: string | undefined): void =>
  branch
    ? browserStorage.setItem(LAST_BRANCH_KEY, branch)
    : browserStorage.removeItem(LAST_BRANCH_KEY)
