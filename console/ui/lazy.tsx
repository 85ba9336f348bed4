import { type FC, useLayoutEffect, useState } from 'hono/jsx/dom'
import { Failure } from './reading.tsx'

/**
 * A view whose code is loaded when the view is first opened, so that the first page stays small.
 * After a new version is deployed, the old file may be gone. Then the page must be reloaded.
 */
export const lazyView = <Props extends object>(load: () => Promise<FC<Props>>): FC<Props> => {
  let View: FC<Props> | undefined
  return (props: Props) => {
    const [state, setState] = useState<'loading' | 'loaded' | 'failed'>(View ? 'loaded' : 'loading')
    // `useEffect` could run after the view was removed, and then show it again.
    useLayoutEffect(() => {
      if (View) return
      let isCurrent = true
      load().then(
        (loaded) => {
          View = loaded
          if (isCurrent) setState('loaded')
        },
        () => isCurrent && setState('failed'),
      )
      return () => {
        isCurrent = false
      }
    }, [])
    return (
      <div class="contents">
        {View && state === 'loaded' && <View key="view" {...props} />}
        {state === 'loading' && <main key="loading" aria-busy="true" />}
        {state === 'failed' && (
          <main key="failed">
            <Failure
              isPage
              title="No se pudo abrir esta sección"
              text="Revisa tu conexión. Si acaba de salir otra versión, se abre al recargar la página."
              onRetry={() => location.reload()}
            />
          </main>
        )}
      </div>
    )
  }
}
