import type { ComponentChildren } from 'preact'
import { Back } from './back.tsx'
import { Heading } from './heading.tsx'
import styles from './page.module.css'

interface Props {
  /** Missing while it is being read. Then the page's content says so. */
  title?: ComponentChildren
  /** If this is given, the heading gets the focus, also when this value changes. */
  about?: unknown
  /** What stands beside the title, such as buttons. */
  acts?: ComponentChildren
  lead?: ComponentChildren
  back?: { to: string; list: string }
  class?: string
  children: ComponentChildren
}

/** A page of the console. All are equally wide. */
export const Page = ({ title, about, acts, lead, back, class: name = '', children }: Props) => (
  <main class={`${styles.page} ${name}`}>
    {back && <Back key="back" {...back} />}
    {title && (
      <header class="head" key="head">
        {about === undefined ? <h1>{title}</h1> : <Heading about={about}>{title}</Heading>}
        {acts && <span class="acts">{acts}</span>}
      </header>
    )}
    {lead && (
      <p class="lead" key="lead">
        {lead}
      </p>
    )}
    {children}
  </main>
)
