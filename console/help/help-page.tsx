import { SPANISH_COLUMNS } from '../../src/payroll/hours/spanish-columns.ts'
import { EXCEPTION_HELP } from '../hours/day-sentence.ts'
import { Definitions } from '../ui/definitions.tsx'
import { EXCEPTIONS } from '../ui/hours-texts.ts'
import { Page } from '../ui/page.tsx'
import { linkTo } from '../ui/routes.ts'
import { COLUMN_HELP, STEPS } from './help-texts.ts'

export const HelpView = () => (
  <Page
    class="help"
    title="Ayuda"
    lead="Una quincena en diez pasos, para quien revisa y para nóminas."
  >
    <ol>
      {STEPS.map(({ title, text, picture }) => (
        <li key={title}>
          <h2>{title}</h2>
          <p>{text}</p>
          {picture && (
            <img
              src={`${picture[0]}.png`}
              alt={picture[1]}
              width="960"
              height="540"
              loading="lazy"
            />
          )}
        </li>
      ))}
    </ol>
    <section>
      <h2>Qué significa cada excepción, y qué hacer</h2>
      <p>
        Lo que pasa cada quincena, con ejemplos:{' '}
        <a href={linkTo('ayuda/irregularidades')}>treinta irregularidades</a>.
      </p>
      <Definitions
        items={Object.entries(EXCEPTION_HELP).map(([name, text]) => [
          EXCEPTIONS[name] ?? name,
          text,
        ])}
      />
    </section>
    <section>
      <h2>Qué dice cada columna de los archivos</h2>
      <p>
        Las horas están en segundos, para que la suma sea exacta: 3600 segundos son una hora. Otras
        columnas llevan lo mismo en horas con dos decimales: «Horas por pagar» (total_hours) junto a
        «Segundos por pagar» (total_seconds). Una jornada es del día de su entrada.
      </p>
      <Definitions
        items={Object.entries(COLUMN_HELP).map(([name, text]) => [
          `${SPANISH_COLUMNS[name]} (${name})`,
          text,
        ])}
      />
    </section>
  </Page>
)
