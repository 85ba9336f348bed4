import { useQuery } from '@tanstack/preact-query'
import type { Clock } from '../../sdk/api-types.ts'
import { Dialog } from '../ui/dialog.tsx'
import { DialogButton } from '../ui/dialog-button.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Paged } from '../ui/paged.tsx'
import { linkToPersonPage } from '../ui/routes.ts'
import { dayAndMonth } from '../ui/time.ts'
import { numbersQuery } from './clocks.queries.ts'
import { NameDialog } from './name-dialog.tsx'

interface Props {
  clock: Clock
  onClose: () => void
}

/** Whose the numbers of a clock are. A wrong one is put right from today on. */
export const ClockNumbers = ({ clock, onClose }: Props) => {
  const { serial, label } = clock
  return (
    <Dialog title={`Números de ${label ?? serial}`} onClose={onClose}>
      <p>
        Si un número es de otra persona, dilo: vale desde hoy. Lo ya registrado se rechaza aparte.
      </p>
      <Loaded read={useQuery(numbersQuery(serial))} failure="No se pudieron leer" rows={3}>
        {(numbers) =>
          numbers.length === 0 ? (
            <p>Todavía no se sabe de quién es ninguno.</p>
          ) : (
            <Paged
              items={numbers}
              render={(shown) => (
                <ul class="problems">
                  {shown.map(
                    ({ number, employee_id, full_name, all_clocks, is_named, valid_from }) => (
                      <li key={number}>
                        <strong>{number}</strong>:{' '}
                        <a href={linkToPersonPage(employee_id)}>{full_name}</a>{' '}
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
                            />
                          )}
                        />
                      </li>
                    ),
                  )}
                </ul>
              )}
            />
          )
        }
      </Loaded>
      <footer>
        <button type="button" onClick={onClose}>
          Cerrar
        </button>
      </footer>
    </Dialog>
  )
}
