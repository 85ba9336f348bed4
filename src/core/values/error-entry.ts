/** How a noun writes its errors. */

export interface ErrorEntry<Details = never> {
  status: number
  /** The message for the user, in Spanish. It may be made from details, which the answer has too. */
  message: string | ((details: Details) => string)
  field?: string
}

/** `14/11/2026` */
export const shownDay = (day: string): string => day.split('-').reverse().join('/')

export const error = <const Status extends number, Message>(status: Status, message: Message) => ({
  status,
  message,
})

export const invalid = <Message>(field: string, message: Message) =>
  ({ status: 422, message, field }) as const

/** A 409 about the value of one field, such as an email address that is taken. */
export const conflict = <Message>(field: string, message: Message) =>
  ({ status: 409, message, field }) as const
