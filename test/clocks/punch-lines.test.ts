import { expect, it } from 'vitest'
import { optionsOf, timeOf } from '../../src/clocks/adms/clock-options.ts'
import { readFile } from '../../src/clocks/punches/files.ts'
import {
  isOfLostTime,
  kindOf,
  linesOf,
  momentOf,
  readPushed,
} from '../../src/clocks/punches/lines.ts'
import { hideEnd, serialOf } from '../../src/clocks/serial.ts'
import { zonesFrom } from '../../src/core/values/time-zone.ts'

const zones = zonesFrom([
  { branch_office: null, valid_from: '', time_zone: 'America/Mexico_City' },
  { branch_office: 'Tijuana', valid_from: '', time_zone: 'America/Tijuana' },
  { branch_office: 'Katmandú', valid_from: '', time_zone: 'Asia/Kathmandu' },
])
const ARRIVED = new Date('2026-11-25T16:40:00.000Z')
const moment = (text: string, branch = 'Centro', arrived = ARRIVED) =>
  momentOf(text, branch, zones, arrived)

it.each([
  ['2 columns', '317\t2026-11-25 07:58:03', ''],
  ['5 columns of an old clock', '317\t2026-11-25 07:58:03\t1\t1\t0', '1'],
  ['10 columns', '317\t2026-11-25 07:58:03\t4\t15\t\t0\t0\t255\t36.5\t0', '4'],
  ['12 columns', '317\t2026-11-25 07:58:03\t5\t1\t\t0\t0\t0\t0\t0\t0\t0', '5'],
  ['blanks', '  317 2026-11-25 07:58:03 4 1', '4'],
  ['date and time in two columns', '317\t2026-11-25\t07:58:03\t4', '4'],
  ['bars', '317|2026/11/25 07:58:03|1|0', '1'],
  ['commas', '317,2026-11-25 7:58:03,1', '1'],
  [
    'named values',
    'time=2026-11-25 07:58:03\tpin=317\tcardno=0\teventaddr=1\tevent=0\tinoutstatus=1\tverifytype=1',
    '1',
  ],
  ['a status by its short name', 'PIN=317\tTime=2026-11-25 07:58:03\tStatus=1', '1'],
  ['named values between blanks', 'pin=317 time=2026-11-25 07:58:03 status=1', '1'],
  [
    'the transaction of a door, whose months all have 31 days',
    'transaction cardno=0\tpin=317\tverified=1\tdoorid=1\teventtype=0\tinoutstate=1\ttime_second=864547083',
    '1',
  ],
])('reads %s', (_, text, status) => {
  expect(readPushed(text)).toEqual({ number: '317', local_at: '2026-11-25 07:58:03', status })
})

it.each([
  '',
  'hola',
  '317',
  `317\t${'9'.repeat(31)}`,
  '317 ayer',
  '317|ayer|0',
  '317\tAna\t2026-11-25 07:58:03',
])('reads nothing from %j', (text) => expect(readPushed(text)).toBeUndefined())

it.each([
  'USER PIN=4\tName=Ana\tPasswd=1234',
  'FP PIN=4\tFID=1\tTMP=TWlT',
  'PIN=4\tName=Ana\tPri=0',
  'OPLOG 4\t0\t2026-11-25 07:58:03\t1\t0\t0\t0',
  'time=2026-11-25 07:58:03\tpin=4\tevent=23',
])('knows that %j is no punch', (text) => expect(readPushed(text)).toBe('other'))

const GLG = 'No\tMchn\tEnNo\t\tName\t\tMode\tIOMd\tDateTime\t'
it.each([
  ['attlog.dat', '  317\t2026-11-25 07:58:03\t1\t4\t1\t0'],
  ['attlog.dat with blanks', '317 2026-11-25 07:58:03 1 4 1 0'],
  ['attlog.dat with names', '317\tAna Sol\t2026-11-25 07:58:03\t1\t4'],
  ['GLG_001.TXT', `${GLG}\n000001\t1\t317\tAna Sol  \t1\t4\t2026/11/25  07:58:03\t`],
  ['GLG_001.TXT without a name', `${GLG}\n000001\t1\t317\t\t1\t4\t2026/11/25 07:58:03`],
  [
    'AGL_001.TXT with bars',
    'No|TMNo|EnNo|Name|GMNo|Mode|In/Out|DateTime\n1|1|317|Ana Sol|1|1|4|2026-11-25 07:58:03',
  ],
  [
    'AGL_001.TXT with blanks',
    'No TMNo EnNo Name Mode In/Out DateTime\n1 1 317 Ana Sol 1 4 2026-11-25 07:58:03',
  ],
])('reads the file %s by its heading', (_, text) => {
  const file = readFile(text)
  expect(file?.lines.map((line) => file.read(line))).toEqual([
    { number: '317', local_at: '2026-11-25 07:58:03', status: '4' },
  ])
})

it.each(['hola', '', 'No\tName\n1\tAna', '000001\t1\t317\tAna\t1\t4\t2026/11/25 07:58:03'])(
  'takes %j for no file of a clock',
  (text) => expect(readFile(text)).toBeUndefined(),
)

it.each([
  ['2000-01-01 00:03:10', true],
  ['2009-12-31 08:00:00', true],
  ['2018-01-01 00:03:10', true],
  ['2025-10-31 08:00:00', true],
  ['2025-11-01 08:00:00', false],
  ['2026-11-25 08:00:00', false],
  ['ayer', false],
])('knows a time that a clock has lost: %s %s', (local_at, isLost) =>
  expect(isOfLostTime(local_at, '2026-11-01')).toBe(isLost),
)

it('ignores NULs, blank lines and the kind of line ends', () => {
  expect(linesOf('a\r\nb\n\n  \nc\r\0\0\0')).toEqual(['a', 'b', 'c'])
})

it('takes the kind from the keys only where people press them', () => {
  const kinds = ['0', '1', '2', '3', '4', '5', '255', ''].map((status) => kindOf(status, true))
  const [entrada, salida, checada] = ['entrada', 'salida', 'checada']
  expect(kinds).toEqual([entrada, salida, salida, entrada, entrada, salida, checada, checada])
  expect(kindOf('1', false)).toBe('checada')
})

it('reads a time in the zone of the branch', () => {
  expect(moment('2026-11-25 07:58:03')).toBe('2026-11-25T13:58:03.000Z')
  expect(moment('2026-11-25 07:58:03', 'Tijuana')).toBe('2026-11-25T15:58:03.000Z')
  expect(moment('2026-11-25 07:58:03', 'Katmandú')).toBe('2026-11-25T02:13:03.000Z')
})

it.each([
  '2026-02-29 08:00:00',
  '2026-11-25 24:00:00',
  '2026-11-25 23:59:60',
  '2026-11-25',
  'ayer',
])('has no moment for %j', (text) => expect(moment(text)).toBeNull())

it('has no moment in the hour that the summer time leaves out', () => {
  expect(moment('2026-03-08 02:30:00', 'Tijuana')).toBeNull()
  expect(moment('2026-03-08 01:59:59', 'Tijuana')).toBe('2026-03-08T09:59:59.000Z')
  expect(moment('2026-03-08 03:00:00', 'Tijuana')).toBe('2026-03-08T10:00:00.000Z')
})

it('takes the one of two equal hours that lies shortly before the arrival', () => {
  const at = (arrived: string) => moment('2026-11-01 01:30:00', 'Tijuana', new Date(arrived))
  const [first, second] = ['2026-11-01T08:30:00.000Z', '2026-11-01T09:30:00.000Z']
  expect(at('2026-11-01T08:30:05.000Z')).toBe(first)
  expect(at('2026-11-01T09:30:05.000Z')).toBe(second)
  expect(at('2026-11-02T12:00:00.000Z')).toBe(first)
})

it('gives a clock its options, and the time zone only if it never changes', () => {
  const options = (branch_office: string, stamp: string | null = null) =>
    optionsOf({ branch_office, stamp, zones }, ARRIVED).split('\n')
  expect(options('Centro')).toEqual([
    'ATTLOGStamp=None',
    'OPERLOGStamp=9999',
    'ATTPHOTOStamp=9999',
    'ErrorDelay=60',
    'Delay=60',
    'TransTimes=00:00;14:05',
    'TransInterval=1',
    'TransFlag=TransData AttLog',
    'TimeZone=-6',
    'Realtime=1',
    'Encrypt=None',
    'ServerVer=2.2.14',
    '',
  ])
  expect(options('Katmandú', '42')).toEqual(
    expect.arrayContaining(['ATTLOGStamp=42', 'TimeZone=345']),
  )
  expect(options('Tijuana').join()).not.toContain('TimeZone')
})

it('tells the time as the protocol counts it', () => {
  const at = (moment: string) =>
    timeOf({ branch_office: 'Tijuana', stamp: null, zones }, new Date(moment))
  expect(at('2000-01-01T00:00:01.000Z')).toBe('DateTime=1,ServerTZ=-0800')
  // 26 years of 372 days, 10 months of 31 days, 24 days, and 16:40:00.
  const seconds = (26 * 372 + 10 * 31 + 24) * 86_400 + 16 * 3600 + 40 * 60
  expect(at('2026-11-25T16:40:00.000Z')).toBe(`DateTime=${seconds},ServerTZ=-0800`)
})

it('reads serial numbers, and hides their ends', () => {
  expect(['hxpush21', ' A-1_b ', '', 'a b', 'ñ', 'x'.repeat(51)].map(serialOf)).toEqual([
    'HXPUSH21',
    'A-1_B',
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  expect([hideEnd('HXPUSH21'), hideEnd('AB')]).toEqual(['HXPU····', '····'])
})
