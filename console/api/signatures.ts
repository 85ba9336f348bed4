import { dataOf } from '../../sdk/api-client.ts'
import { api } from './api.ts'

const { closings, objections } = api.v2.incidents

/** Reads the objections to closings that nobody has answered. */
export const readObjections = async () => (await dataOf(objections.$get())).objections

export const answerObjection = (id: number, employee_id: string, comment: string) =>
  dataOf(
    closings[':id'].objections[':employee_id'].answer.$post({
      param: { id, employee_id },
      json: { comment },
    }),
  )

/** Reads who has signed a closing, by the employee. */
export const readSignatures = async (id: number) => {
  const { signatures } = await dataOf(closings[':id'].signatures.$get({ param: { id } }))
  return new Map(signatures.map((signature) => [signature.employee_id, signature]))
}
