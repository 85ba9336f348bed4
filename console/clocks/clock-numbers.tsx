import type { Clock } from '../../sdk/api-types.ts'
import { Dialog } from '../ui/dialog.tsx'
import { DialogButton } from '../ui/dialog-button.tsx'
import { Paged } from '../ui/paged.tsx'
import { dayAndMonth } from '../ui/time.ts'
import { useRead } from '../ui/use-read.ts'
import { Waiting } from '../ui/waiting.tsx'
import { readNumbers } from './clocks.api.ts'
import { NameDialog } from './name-dialog.tsx'

interface Props {
  clock: Clock
  onClose: () => void
  onChanged: () => void
}

/** Whose the numbers of a clock are. A wrong one is put right from today on. */
export const ClockNumbers = ({ clock, onClose, onChanged }: Props) => {
  const { serial, label } = clock
  const read = useRead(() => readNumbers(serial))
  return (
    <Dialog title={`Números de ${label ?? serial}`} onClose={onClose}>
      <p>
        Si un número es de otra persona, dilo: vale desde hoy. Lo ya registrado se rechaza aparte.
      </p>
      <Waiting read={read} failure="No se pudieron leer" rows={3} />
      {read.data?.length === 0 && <p>Todavía no se sabe de quién es ninguno.</p>}
      <Paged
        items={read.data ?? []}
        render={(shown) => (
          <ul class="problems">
            {shown.map(({ number, full_name, all_clocks, is_named, valid_from }) => (
              <li key={number}>
                <strong>{number}</strong>: {full_name}{' '}
                <span class="note">
                  {is_named ? '' : 'por su número de empleado'}
                  {all_clocks && 'en todos los relojes'}
                  {valid_from && ` desde el ${dayAndMonth(valid_from)}`}
                </span>{' '}
                <DialogButton
                  class="quiet"
                  label="Es de otra persona"
                  about={`el número ${number}`}
                  dialog={(close) => (
                    <NameDialog
                      serial={serial}
                      number={number}
                      note={`Hasta hoy es de ${full_name}.`}
                      onClose={close}
                      onChanged={() => {
                        void read.again()
                        onChanged()
                      }}
                    />
                  )}
                />
              </li>
            ))}
          </ul>
        )}
      />
      <footer>
        <button type="button" onClick={onClose}>
          Cerrar
        </button>
      </footer>
    </Dialog>
  )
}
