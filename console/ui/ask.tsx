import { type ComponentChildren, Fragment } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { createStore, useStore } from '../session/store.ts'
import type { Route } from './routes.ts'

interface Question {
  id: number
  dialog: ComponentChildren
  close: () => void
}

const questions = createStore({ open: [] as Question[], count: 0 })

/**
 * Opens a dialog. Resolves when it has closed, so that the page behind it can get the focus: with its
 * answer, or with undefined if the user closes it or leaves the page. A dialog keeps what it was
 * opened with: when the page behind it is read again, neither the fields of its form change nor the
 * version that the form sends.
 */
export const ask = <Answer = void>(
  dialog: (close: (answer?: Answer) => void) => ComponentChildren,
): Promise<Answer | undefined> =>
  new Promise((resolve) => {
    const { open, count: id } = questions.get()
    const close = (answer?: Answer) => {
      questions.set({ open: questions.get().open.filter((one) => one.id !== id) })
      setTimeout(() => resolve(answer))
    }
    questions.set({ open: [...open, { id, dialog: dialog(close), close }], count: id + 1 })
  })

/** The open dialogs. They close when the address changes. */
export const Dialogs = ({ route }: { route: Route }) => {
  const { open } = useStore(questions)
  useLayoutEffect(
    () => () => {
      for (const { close } of questions.get().open) close()
    },
    [route],
  )
  return (
    <>
      {open.map(({ id, dialog }) => (
        <Fragment key={id}>{dialog}</Fragment>
      ))}
    </>
  )
}
