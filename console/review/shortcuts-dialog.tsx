import { useStore } from '../session/store.ts'
import { ask } from '../ui/ask.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Checkbox } from '../ui/fields.tsx'
import { setShortcuts, ui } from '../ui/ui-state.ts'

const KEYS: [string, string][] = [
  ['J · K', 'Fila siguiente · anterior'],
  ['X', 'Seleccionar la fila'],
  ['A', 'Aprobar la fila, o la selección'],
  ['R', 'Rechazar la fila, o la selección'],
  ['Z', 'Deshacer lo último'],
  ['/', 'Buscar a una persona'],
  ['← ↑ ↓ → · Enter', 'En Horas, otro día · abrirlo'],
  ['Ctrl Enter', 'Enviar lo que escribes'],
  ['?', 'Esta ayuda'],
]

export const showShortcuts = () => ask((close) => <Shortcuts onClose={close} />)

const Shortcuts = ({ onClose }: { onClose: () => void }) => {
  const { shortcuts } = useStore(ui)
  return (
    <Dialog title="Atajos de teclado" onClose={onClose}>
      <dl class="keys stack">
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <Checkbox checked={shortcuts} onChange={setShortcuts}>
        Usar estos atajos en este equipo
      </Checkbox>
      <footer>
        <button type="button" class="primary" autofocus onClick={onClose}>
          Listo
        </button>
      </footer>
    </Dialog>
  )
}
