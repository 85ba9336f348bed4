import type { HoursDay } from '../../sdk/api-types.ts'
import { signedIn } from '../session/session.ts'

/** Whether the user may review a day. An installation can leave one's own days to somebody else. */
export const mayReview = ({ employee_id }: Pick<HoursDay, 'employee_id'>): boolean => {
  const { user, forbid_self_approval } = signedIn()
  return !(forbid_self_approval && employee_id === user.employee_id)
}
