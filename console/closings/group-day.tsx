import { savePaysFrom } from '../hours/hours.queries.ts'
import { TextField } from '../ui/fields.tsx'
import { groupName } from '../ui/text.ts'
import { Form, useForm } from '../ui/use-form.tsx'

/** Asks once for the first day that this installation pays a group, and stores it. */
export const GroupDay = ({ name }: { name: string }) => {
  const form = useForm({
    initial: { day: '' },
    check: ({ day }) => ({ day: !day && 'Di el primer día.' }),
    send: ({ day }) => savePaysFrom(name, day),
  })
  return (
    <Form form={form} act="Guardar el primer día" look="">
      <h3>{groupName(name)}: falta desde qué día se le paga aquí</h3>
      <p class="note">
        Los días anteriores ya se pagaron en otro lado. Mientras no lo digas, su gente no está en
        estas cifras.
      </p>
      <TextField {...form.field('day')} type="date" label="Primer día que se paga aquí" />
    </Form>
  )
}
