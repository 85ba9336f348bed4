import type { FunctionComponent } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { Failure } from './reading.tsx'

/**
 * A view whose code is loaded when the view is first opened, so that the first page stays small.
 * After a new version is deployed, the old file may be gone. Then the page must be reloaded.
 */
export const lazyView = <Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> => {
  let View: FunctionComponent<Props> | undefined
  return (props: Props) => {
    const [state, setState] = useState<'loading' | 'loaded' | 'failed'>(View ? 'loaded' : 'loading')
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
      <>
        {View && state === 'loaded' && <View {...props} />}
        {state === 'loading' && <main aria-busy="true" />}
        {state === 'failed' && (
          <main>
            <Failure
              isPage
              title="No se pudo abrir esta sección"
              text="Revisa tu conexión. Si acaba de salir otra versión, se abre al recargar la página."
              onRetry={() => location.reload()}
            />
          </main>
        )}
      </>
    )
  }
}
