import { type Leaf, leafText } from '../../src/shared/evidence/leaf.ts'

/** Whether a text is an exact moment: UTC with milliseconds. What is no date compares false. */
export const isMoment = (value: unknown): value is string => {
  if (typeof value !== 'string') return false
  const date = new Date(value)
  return !Number.isNaN(date.getTime()) && date.toISOString() === value
}

const isText = (value: unknown): boolean => typeof value === 'string'
const isTextOrNull = (value: unknown): boolean => value === null || isText(value)
const isNumber = (value: unknown): boolean => Number.isSafeInteger(value)

const TYPES: Record<keyof Leaf, (value: unknown) => boolean> = {
  actor: isText,
  at: isText,
  comment: isTextOrNull,
  employee_id: isText,
  event: isText,
  from: isTextOrNull,
  id: isNumber,
  kind: isText,
  log_id: isNumber,
  recorded_at: isText,
  salt: isText,
  source: isText,
  to: isText,
  user_id: (value) => value === null || isNumber(value),
}

export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads an event; undefined unless the text is exactly what is sealed of one. */
export const parseEntry = (text: string): Leaf | undefined => {
  const value = parseJson(text) as Leaf | null | undefined
  if (typeof value !== 'object' || value === null) return undefined
  const isLeaf = Object.entries(TYPES).every(([name, isType]) => isType(value[name as keyof Leaf]))
  return isLeaf && leafText(value) === text ? value : undefined
}
