import type { ComponentChildren } from 'preact'
import { shownDay } from '../people/person-fields.ts'
import { can } from '../session/session.ts'
import { Back } from '../ui/back.tsx'
import { Checkbox } from '../ui/fields.tsx'
import { FormEnd, FormField, useForm } from '../ui/form.tsx'
import { Heading } from '../ui/heading.tsx'
import { Icon } from '../ui/icon.tsx'
import { Remark } from '../ui/reading.tsx'
import { linkTo, type Route } from '../ui/routes.ts'
import { Badge, type Look } from '../ui/status.tsx'
import { announce } from '../ui/ui-state.ts'
import { useRead } from '../ui/use-read.ts'
import { Waiting } from '../ui/waiting.tsx'
import { AgreementPeople } from './agreement-people.tsx'
import { type AgreementText, type PeopleOfText, publishText, readTexts } from './agreements.api.ts'
import { DRAFT, KEY_PLACE } from './draft.ts'

const LOOKS: Record<AgreementText['state'], Look> = {
  current: ['approved', 'check', 'Vigente'],
  later: ['pending', 'clock', 'Todavía no vale'],
  earlier: ['absent', 'back', 'Anterior'],
}

const Content = ({ text, title }: { text: AgreementText; title: ComponentChildren }) => (
  <div class="stack">
    <div class="head">
      {title}
      <Badge look={LOOKS[text.state]} />
    </div>
    <p>Primer día: {shownDay(text.valid_from)}</p>
    <details>
      <summary>
        Leer el texto<span class="sr"> de {text.title}</span>
      </summary>
      <blockquote>{text.text}</blockquote>
    </details>
    <p class="note hash">Huella del texto (SHA-256): {text.sha256}</p>
  </div>
)

const Others = ({ texts }: { texts: AgreementText[] }) => (
  <section class="stack">
    <h2>Otros textos</h2>
    <ul class="clocks">
      {texts.map((text) => (
        <li key={text.id}>
          <Content text={text} title={<a href={linkTo(`acuerdo/${text.id}`)}>{text.title}</a>} />
        </li>
      ))}
    </ul>
  </section>
)

/**
 * One text and the people who have agreed to it. If the address names no text, it is the text that
 * is valid today. If none is valid yet, it is the first text that will be valid.
 */
const Texts = ({ path, query }: Route) => {
  const read = useRead(readTexts)
  const texts = read.data
  const chosen =
    texts?.find(({ id }) => String(id) === path[1]) ??
    texts?.find(({ state }) => state === 'current') ??
    texts?.at(-1)
  const others = texts?.filter((text) => text !== chosen) ?? []
  return (
    <main class="users">
      <header class="head">
        <h1>Acuerdo</h1>
        {can('keep_users') && (
          <a class="button" href={linkTo('acuerdo/nuevo')}>
            <Icon name="plus" />
            Publicar un texto
          </a>
        )}
      </header>
      <p class="lead">
        El texto sobre el registro de la jornada, quién lo acordó con la empresa y quién falta. A
        quien falta también se le reciben sus checadas.
      </p>
      <Waiting key="wait" read={read} failure="No se pudo leer el acuerdo" rows={6} />
      {texts?.length === 0 && (
        <p>Todavía no hay un texto. Lo publica quien administra todas las sucursales.</p>
      )}
      {chosen && (
        <Content key={`text ${chosen.id}`} text={chosen} title={<h2>{chosen.title}</h2>} />
      )}
      {chosen && (
        <AgreementPeople
          key={`people ${chosen.id}`}
          text={chosen}
          filter={query as PeopleOfText}
          onFilter={(changes) => location.replace(linkTo(path.join('/'), { ...query, ...changes }))}
        />
      )}
      {others.length > 0 && <Others texts={others} />}
    </main>
  )
}

const NewText = () => {
  const form = useForm({
    draft: 'acuerdo',
    check: (given) => ({
      ...(!given('title') && { title: 'Escribe el título.' }),
      ...(!given('text') && { text: 'Escribe el texto.' }),
      ...(given('text').includes(KEY_PLACE) && {
        text: `Escribe la llave de tus sellos en lugar de «${KEY_PLACE}», o quita esa frase.`,
      }),
      ...(!given('valid_from') && { valid_from: 'Pon el primer día.' }),
      ...(!given('confirmed') && { confirmed: 'Confirma que es el texto definitivo.' }),
    }),
    send: async (given) => {
      const [title, text, valid_from] = [given('title'), given('text'), given('valid_from')]
      const { id } = await publishText({ title, text, valid_from })
      location.hash = linkTo(`acuerdo/${id}`)
      announce('El texto se publicó.')
    },
  })
  return (
    <main class="users">
      <Back to={linkTo('acuerdo')} list="Acuerdo" />
      <Heading>Publicar un texto</Heading>
      <form {...form.props}>
        <FormField form={form} name="title" label="Título" autocomplete="off" />
        <FormField
          form={form}
          name="text"
          label="Texto"
          rows={12}
          value={DRAFT}
          hint={`Es un borrador: que lo revise una abogada o un abogado. ${KEY_PLACE} es la llave con la que se verifican los sellos: la da quien opera el servicio.`}
        />
        <FormField form={form} name="valid_from" label="Primer día" type="date" />
        <Remark>
          Una vez publicado no se cambia ni se borra. Desde su primer día se pide a todas las
          personas, también a quienes acordaron uno anterior.
        </Remark>
        <div>
          <Checkbox name="confirmed" value="1">
            Es el texto definitivo
          </Checkbox>
          {form.problem('confirmed')}
        </div>
        <FormEnd form={form} problem={form.problems.all} act="Publicar" busyAct="Publicando…">
          <a class="button" href={linkTo('acuerdo')} onClick={form.forget}>
            Cancelar
          </a>
        </FormEnd>
      </form>
    </main>
  )
}

/** The texts of the agreement, the people who have agreed, and a form for a new text. */
export const AgreementsView = ({ route }: { route: Route }) => {
  const isNew = route.path[1] === 'nuevo' && can('keep_users')
  return isNew ? <NewText /> : <Texts {...route} />
}
