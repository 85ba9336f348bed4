import { signedIn } from '../session/session.ts'
import { dayOf, exactTime } from '../ui/time.ts'
import type { Selection } from './selection.ts'

const EVIDENCE =
  'las checadas, sus decisiones, los cierres y las firmas u objeciones, con los sellos que las prueban'

const FILES: Record<string, string> = {
  'registro.csv': 'un renglón por día y persona, para una hoja de cálculo',
  'tarjetas.html': 'las tarjetas de asistencia; se abre sin conexión y se puede imprimir',
  'checkpoint.txt': 'el sello más reciente de todo el registro, con su firma',
  'verificar.html': 'la página que comprueba la evidencia; se abre sin conexión',
}

const checkEvidence = (
  files: readonly string[],
) => `- La evidencia: abre verificar.html sin conexión y suelta en ella ${files.join(', ')}. Los números de
  checada son los de la columna «Checadas» de registro.csv. Pon también un sello guardado fuera de
  la empresa: sin él, quien opera el servicio podría rehacer todo el registro con su propia llave.
- Que no falte nadie: cada persona con checadas en registro.csv está en la lista de personas de la
  evidencia.`

const ASK = `La evidencia es de una persona, de 366 días como máximo, o de una sucursal, de 31: pide a la
  empresa esa carpeta. Se hace en «Para la inspección» y trae evidencia.ndjson.`

const CHECK_CHECKPOINT = `- ${ASK}
- Guarda checkpoint.txt fuera de la empresa y suéltalo en verificar.html junto con esa evidencia: así
  se ve que el registro de entonces continúa el de hoy.`

const NO_SEALS = `- Este servicio no tiene llave de sellos (SEAL_KEY), así que no hay evidencia que comprobar: las
  cifras descansan en lo que la empresa guarda.`

const isEvidence = (name: string): boolean => name.startsWith('evidencia')

const checkText = (names: readonly string[]): string => {
  const evidence = names.filter(isEvidence)
  if (evidence.length > 0) return checkEvidence(evidence)
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
${names.map((name) => `${name}: ${isEvidence(name) ? EVIDENCE : FILES[name]}.`).join('\n')}

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
