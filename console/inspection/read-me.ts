import { signedIn } from '../api/session.ts'
import { dayOf, exactTime } from '../time.ts'
import type { Selection } from './selection.ts'

const FILES: Record<string, string> = {
  'registro.csv': 'un renglón por día y persona, para una hoja de cálculo',
  'tarjetas.html': 'las tarjetas de asistencia; se abre sin conexión y se puede imprimir',
  'evidencia.ndjson': 'las checadas y sus decisiones, con los sellos que las prueban',
  'checkpoint.txt': 'el sello más reciente de todo el registro, con su firma',
  'verificar.html': 'la página que comprueba la evidencia; se abre sin conexión',
}

const CHECK_EVIDENCE = `- La evidencia: abre verificar.html sin conexión y suelta en ella evidencia.ndjson. Los números de
  checada son los de la columna «Checadas» de registro.csv. Pon también un sello guardado fuera de
  la empresa: sin él, quien opera el servicio podría rehacer todo el registro con su propia llave.`

const ASK = `La evidencia es de una persona a la vez: pide a la empresa esta misma carpeta de esa persona, de
  366 días como máximo. Se hace en «Para la inspección» y trae evidencia.ndjson.`

const CHECK_CHECKPOINT = `- ${ASK}
- Guarda checkpoint.txt fuera de la empresa y suéltalo en verificar.html junto con esa evidencia: así
  se ve que el registro de entonces continúa el de hoy.`

const NO_SEALS = `- Este servicio no tiene llave de sellos (SEAL_KEY), así que no hay evidencia que comprobar: las
  cifras descansan en lo que la empresa guarda.`

const checkText = (names: readonly string[]): string => {
  if (names.includes('evidencia.ndjson')) return CHECK_EVIDENCE
  if (names.includes('checkpoint.txt')) return CHECK_CHECKPOINT
  if (!signedIn().seals) return NO_SEALS
  return `- Esta carpeta no trae evidencia, porque quien la preparó no puede pedirla. ${ASK}`
}

const scopeText = (): string => {
  const { scope_branches } = signedIn().user
  if (scope_branches === null) return ''
  return `Quien la preparó solo ve estas sucursales, y solo esas checadas están aquí: ${scope_branches.join(', ')}.\n`
}

/** The text that explains the folder. `sha256sum -c` can check the files by its list of hashes. */
export const readMeText = (
  { from, to }: Selection,
  who: string,
  hashes: ReadonlyMap<string, string>,
): string => {
  const names = [...hashes.keys()]
  const now = new Date().toISOString()
  return `REGISTRO DE LA JORNADA
${who}, del ${from} al ${to}.
Lo preparó ${signedIn().user.full_name} el ${dayOf(now)} a las ${exactTime(now)}.
${scopeText()}
EN DOS MINUTOS
1. Abre registro.csv. Cada renglón es un día de una persona: «Inicio» y «Fin» son su primera entrada
   y su última salida, a la hora de su sucursal.
2. «Horas» suma los pares de «Entradas y salidas» que están aprobados. Cada renglón lleva también el
   total de su semana entera y el límite de la ley para ella.
3. «Checadas» dice en qué descansa cada cifra: el número de cada checada, su hora, de dónde llegó, y
   quién la aprobó o la rechazó y cuándo. Una rechazada se muestra y no cuenta.

ARCHIVOS
${names.map((name) => `${name}: ${FILES[name]}.`).join('\n')}

CÓMO SE COMPRUEBA SIN NOSOTROS
${checkText(names)}
- Los archivos: su SHA-256 está abajo. En Windows: certutil -hashfile registro.csv SHA256. En Mac:
  shasum -a 256 registro.csv. En Linux, todos a la vez: sha256sum -c LEEME.txt
${[...hashes].map(([name, hash]) => `${hash}  ${name}`).join('\n')}

QUÉ NO DICE
Un sello muestra que lo sellado no cambió después. No muestra quién usó el reloj o el teléfono, ni una
checada que nunca se envió. registro.csv y las tarjetas se calcularon de las checadas al preparar
esta carpeta: no llevan sello propio.
`
}
