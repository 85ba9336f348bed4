import { dataOf } from '../../sdk/api-client.ts'

/** @throws ApiError if the response is an error, or a page that another server sent, as `dataOf` does */
export const okResponse = async <Answer extends Parameters<typeof dataOf>[0]>(request: Answer) => {
  const response = await request
  const isPage = response.headers.get('Content-Type')?.startsWith('text/html')
  if (!response.ok || isPage) await dataOf(response)
  return response
}

/** Reads the rows of a file that has one JSON object per line. */
export const rowsOf = async <Row>(request: Parameters<typeof okResponse>[0]): Promise<Row[]> => {
  const file = await okResponse(request)
  const lines = (await file.text()).split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Row)
}
