import { afterEach, beforeEach, vi } from 'vitest'

/**
 * Collects the lines that the service logs during each test of a file, instead of printing them.
 */
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
