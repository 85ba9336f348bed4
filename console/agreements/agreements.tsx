import { useQuery } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { shownDay } from '../people/person-fields.ts'
import { can } from '../session/session.ts'
import { CheckField, TextField } from '../ui/fields.tsx'
import { Icon } from '../ui/icon.tsx'
import { Rows } from '../ui/list.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Page } from '../ui/page.tsx'
import { Remark } from '../ui/reading.tsx'
import { linkTo, type Route } from '../ui/routes.ts'
import { Badge, type Look } from '../ui/status.tsx'
import { announce } from '../ui/ui-state.ts'
import { Form, useForm } from '../ui/use-form.tsx'
import { AgreementPeople } from './agreement-people.tsx'
import {
  type AgreementText,
  type PeopleOfText,
  publishText,
  textsQuery,
} from './agreements.queries.ts'
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
    <Rows>
      {texts.map((text) => (
        <li key={text.id}>
          <Content text={text} title={<a href={linkTo(`acuerdo/${text.id}`)}>{text.title}</a>} />
        </li>
      ))}
    </Rows>
  </section>
)

/**
 * One text and the people who have agreed to it. If the address names no text, it is the text that
 * is valid today. If none is valid yet, it is the first text that will be valid.
 */
const Texts = ({ path, query }: Route) => (
  <Page
    title="Acuerdo"
    lead="El texto sobre el registro de la jornada, quién lo acordó con la empresa y quién falta. A quien falta también se le reciben sus checadas."
    acts={
      can('keep_users') && (
        <a class="button" href={linkTo('acuerdo/nuevo')}>
          <Icon name="plus" />
          Publicar un texto
        </a>
      )
    }
  >
    <Loaded read={useQuery(textsQuery)} failure="No se pudo leer el acuerdo">
      {(texts) => {
        const chosen =
          texts.find(({ id }) => String(id) === path[1]) ??
          texts.find(({ state }) => state === 'current') ??
          texts.at(-1)
        if (!chosen) {
          return <p>Todavía no hay un texto. Lo publica quien administra todas las sucursales.</p>
        }
        const others = texts.filter((text) => text !== chosen)
        return (
          <>
            <Content key={`text ${chosen.id}`} text={chosen} title={<h2>{chosen.title}</h2>} />
            <AgreementPeople
              key={`people ${chosen.id}`}
              text={chosen}
              filter={query as PeopleOfText}
              onFilter={(changes) =>
                location.replace(linkTo(path.join('/'), { ...query, ...changes }))
              }
            />
            {others.length > 0 && <Others texts={others} />}
          </>
        )
      }}
    </Loaded>
  </Page>
)

const NewText = () => {
  const form = useForm({
    draft: 'acuerdo',
    initial: { title: '', text: DRAFT, valid_from: '', confirmed: false },
    check: ({ title, text: typed, valid_from, confirmed }) => ({
      title: !title && 'Escribe el título.',
      text: typed
        ? typed.includes(KEY_PLACE) &&
          `Escribe la llave de tus sellos en lugar de «${KEY_PLACE}», o quita esa frase.`
        : 'Escribe el texto.',
      valid_from: !valid_from && 'Pon el primer día.',
      confirmed: !confirmed && 'Confirma que es el texto definitivo.',
    }),
    send: async ({ confirmed: _, ...json }) => {
      const { id } = await publishText(json)
      location.hash = linkTo(`acuerdo/${id}`)
      announce('El texto se publicó.')
    },
  })
  return (
    <Page back={{ to: linkTo('acuerdo'), list: 'Acuerdo' }} title="Publicar un texto" about="new">
      <Form
        form={form}
        act="Publicar"
        busyAct="Publicando…"
        beside={
          <a class="button" href={linkTo('acuerdo')} onClick={form.forget}>
            Cancelar
          </a>
        }
      >
        <TextField {...form.field('title')} label="Título" autocomplete="off" />
        <TextField
          {...form.field('text')}
          label="Texto"
          rows={12}
          hint={`Es un borrador: que lo revise una abogada o un abogado. ${KEY_PLACE} es la llave con la que se verifican los sellos: la da quien opera el servicio.`}
        />
        <TextField {...form.field('valid_from')} label="Primer día" type="date" />
        <Remark>
          Una vez publicado no se cambia ni se borra. Desde su primer día se pide a todas las
          personas, también a quienes acordaron uno anterior.
        </Remark>
        <CheckField {...form.field('confirmed')}>Es el texto definitivo</CheckField>
      </Form>
    </Page>
  )
}

/** The texts of the agreement, the people who have agreed, and a form for a new text. */
export const AgreementsView = ({ route }: { route: Route }) => {
  const isNew = route.path[1] === 'nuevo' && can('keep_users')
  return isNew ? <NewText /> : <Texts {...route} />
}
