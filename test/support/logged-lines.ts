import { afterEach, beforeEach, vi } from 'vitest'

/** The lines that the service logs in each test of a file, which are not printed. */
export const useLoggedLines = (): string[] => {
  const lines: string[] = []
  beforeEach(() => {
    lines.length = 0
    for (const method of ['log', 'error'] as const) {
      vi.spyOn(console, method).mockImplementation((line) => lines.push(String(line)))
    }
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })
  return lines
}
