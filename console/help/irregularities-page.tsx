import { Definitions } from '../ui/definitions.tsx'
import { Page } from '../ui/page.tsx'
import { linkTo } from '../ui/routes.ts'
import { counted } from '../ui/text.ts'
import { duration } from '../ui/time.ts'
import { IRREGULARITIES, type Irregularity } from './irregularities.ts'

const workText = ({ clicks, fields }: Irregularity): string => {
  if (clicks === undefined || fields === undefined) return ''
  const typed = fields > 0 ? ` y ${counted(fields, 'campo')}` : ''
  return ` (${counted(clicks, 'clic')}${typed})`
}

/** What happens in a company, what its row says, what to do, and what the day becomes. */
export const IrregularitiesView = () => (
  <Page
    class="help"
    back={{ to: linkTo('ayuda'), list: 'Ayuda' }}
    title="Treinta irregularidades"
    lead="Lo que pasa en una quincena, qué dice su renglón y qué haces. Los ejemplos son de jornadas de 08:00 a 17:00 y noches de 22:00 a 06:00."
  >
    <ol>
      {IRREGULARITIES.map((one) => (
        <li key={one.title}>
          <h2>{one.title}</h2>
          <Definitions
            items={[
              ['Qué dice', one.says],
              ['Qué haces', `${one.act}${workText(one)}`],
              ['Cómo queda', `${one.becomes} En el ejemplo, ${duration(one.hours * 3600)}.`],
            ]}
          />
        </li>
      ))}
    </ol>
  </Page>
)
