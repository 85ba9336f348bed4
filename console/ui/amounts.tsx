import type { ComponentChildren } from 'preact'
import styles from './amounts.module.css'

/** What a part of a bar is, by its look: filled, hatched, or outlined. */
type Look = 'whole' | 'over' | 'held'

export interface Amount {
  key: string
  name: ComponentChildren
  /** What stands beside the bar. It says every part, since only eyes get the bar. */
  text: string
  parts: readonly (readonly [look: Look, size: number])[]
}

/** Amounts as bars of one scale, a line each. */
export const Amounts = ({ label, rows }: { label: string; rows: readonly Amount[] }) => {
  const sizeOf = ({ parts }: Amount) => parts.reduce((sum, [, size]) => sum + Math.max(0, size), 0)
  const longest = rows.reduce((most, row) => Math.max(most, sizeOf(row)), 1)
  return (
    <ul class={styles.amounts} aria-label={label}>
      {rows.map(({ key, name, text, parts }) => (
        <li key={key}>
          <span>{name}</span>
          <span class={styles.bar} aria-hidden="true">
            {parts.map(
              ([look, size]) =>
                size > 0 && (
                  <i
                    key={look}
                    class={styles[look]}
                    style={`width:${((size / longest) * 100).toFixed(1)}%`}
                  />
                ),
            )}
          </span>
          <span class="note">
            <span class="sr"> · </span>
            {text}
          </span>
        </li>
      ))}
    </ul>
  )
}
