import { expect, it } from 'vitest'
import { branchZones, zonesText } from '../../console/company/branch-zones.ts'

it('confirms the zone of a branch only if one was stored for it', () => {
  const [center, north] = ['America/Mexico_City', 'America/Tijuana']
  const branches = [
    { branch_office: '', time_zone: center },
    { branch_office: 'Centro', time_zone: center },
    { branch_office: 'Tijuana', time_zone: north },
  ]
  const zones = [{ branch_office: null }, { branch_office: 'Tijuana' }]

  const found = branchZones(branches, zones)

  expect(found).toEqual([
    { branch_office: 'Centro', time_zone: center, isConfirmed: false },
    { branch_office: 'Tijuana', time_zone: north, isConfirmed: true },
  ])
  const nameOf = (zone: string) => (zone === center ? 'hora del centro' : 'hora del noroeste')
  expect(zonesText(found, nameOf)).toBe('hora del centro: Centro; hora del noroeste: Tijuana')
  expect(zonesText([], nameOf)).toBe('')
})
