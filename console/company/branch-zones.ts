import { groupBy } from '../ui/order.ts'

interface Branch {
  branch_office: string
  time_zone: string
}

/**
 * The branches with their time zones of today. The zone of a branch is confirmed if somebody has
 * stored one for it. Otherwise it is only the company's.
 */
export const branchZones = (
  branches: readonly Branch[],
  zones: readonly { branch_office: string | null }[],
) =>
  branches
    .filter(({ branch_office }) => branch_office !== '')
    .map((branch) => ({
      ...branch,
      isConfirmed: zones.some(({ branch_office }) => branch_office === branch.branch_office),
    }))

/** `hora del centro: Centro, Sur; hora del noroeste: Tijuana` */
export const zonesText = (branches: readonly Branch[], nameOf: (zone: string) => string): string =>
  [...groupBy(branches, ({ time_zone }) => time_zone)]
    .map(([zone, those]) => {
      const names = those.map(({ branch_office }) => branch_office)
      return `${nameOf(zone)}: ${names.join(', ')}`
    })
    .join('; ')
