import { DialogButton } from '../ui/dialog-button.tsx'
import { Rows } from '../ui/list.tsx'
import { shortMoment } from '../ui/time.ts'
import { ClockDialog } from './clock-dialog.tsx'
import type { Clocks } from './clocks.queries.ts'

interface Props {
  unknown: Clocks['unknown']
}

/** The clocks that have called and that nobody has added. They keep their punches until then. */
export const NewClocks = ({ unknown }: Props) => (
  <section class="stack">
    {unknown.length > 0 && (
      <>
        <h2>Relojes nuevos</h2>
        <p class="note">
          Llaman y nadie los ha agregado: conservan sus checadas. Agrega solo los que conozcas.
        </p>
        <Rows>
          {unknown.map(({ serial, last_at, address }) => (
            <li key={serial + address}>
              <h3>{serial}</h3>
              <p class="note">
                Llamó el {shortMoment(last_at)} desde {address}.
              </p>
              <div class="acts">
                <DialogButton
                  class="primary"
                  label="Agregar"
                  about={`el reloj ${serial}`}
                  dialog={(close) => <ClockDialog hidden={serial} onClose={close} />}
                />
              </div>
            </li>
          ))}
        </Rows>
      </>
    )}
    <div class="acts">
      <DialogButton
        class="quiet"
        label="Agregar un reloj sin red"
        dialog={(close) => <ClockDialog onClose={close} />}
      />
    </div>
  </section>
)
