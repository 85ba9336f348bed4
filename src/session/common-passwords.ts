/**
 * The most used passwords and their beginnings. They are from published lists of leaked passwords,
 * including Mexican ones. The last words are about this service.
 */
const COMMON =
  'aa123456 a1234567 a12345678 987654321 87654321 0987654321 98765432 12345678910 123123123 ' +
  '12341234 11223344 1122334455 112233445566 123321123 12344321 123454321 147258369 147852369 ' +
  '159357456 741852963 789456123 123654789 321654987 25802580 10203040 01020304 12121212 ' +
  '10101010 123456789a a123456789 123456abc password passw0rd p@ssw0rd p@ssword pass letmein ' +
  'iloveyou welcome qwerty qwertyui qwertyuiop qwer asdf asdfgh asdfghjk asdfghjkl asdfasdf ' +
  'zxcvbnm zxcvbn abc abcd a1b2c3d4 aa q1w2e3r4 q1w2e3r4t5 1q2w3e4r 1q2w3e4r5t 1qaz2wsx ' +
  '1qazxsw2 qazwsx qazwsxedc zaq12wsx 12qwaszx qweasdzxc 123qweasd 1234qwer asdqwe asdasd ' +
  'princess sunshine football baseball basketball superman batman spiderman starwars pokemon ' +
  'naruto minecraft computer whatever trustno dragon monkey master shadow michelle michael ' +
  'jennifer jessica samantha charlie killer freedom internet liverpool hello secret login guest ' +
  'test testtest user root admin administrator changeme default google facebook samsung ' +
  'contraseña contrasena contrasenia micontraseña micontrasena clave miclave secreto cambiame ' +
  'administrador usuario prueba temporal bienvenido bienvenida hola holahola holamundo teamo ' +
  'tequiero tequieromucho teamomucho teamoteamo miamor amor amorcito mivida corazon mexico ' +
  'españa espana colombia argentina venezuela guadalupe lupita alejandro alejandra fernando ' +
  'fernanda francisco gabriela gabriel carlos daniel daniela eduardo ricardo roberto antonio ' +
  'andrea mariana sebastian santiago valentina carolina cristina leonardo veronica margarita ' +
  'angelica patricia mauricio esperanza estrella estrellita mariposa princesa chocolate ' +
  'barcelona realmadrid america aguilas chivas pumas tigres rayados cruzazul monterrey futbol ' +
  'jesus jesucristo cristo dios diosesamor diosteama bendicion familia mifamilia perrito ' +
  'empresa trabajo oficina sistemas soporte nomina recursos checada checador asistencia'

const passwords = new Set(COMMON.split(' '))

/** Whether the characters are consecutive, such as 23456789 or abcdefgh. After 9 comes 0. */
const isRun = (characters: readonly string[]): boolean =>
  characters.every((character, i) => {
    const before = characters[i - 1]
    if (before === undefined) return true
    const next = before === '9' ? '0' : String.fromCodePoint((before.codePointAt(0) ?? 0) + 1)
    return character === next
  })

/** A common ending of a password, such as a year. */
const ENDING = /[\d!¡.,@#$*_-]{1,5}$/

/**
 * Whether a password is a common one (in any letter case, with or without an ending), a single
 * repeated character, or a run.
 */
export const isCommonPassword = (password: string): boolean => {
  const text = password.normalize('NFC').toLowerCase()
  const characters = [...text]
  const isUsed = passwords.has(text.trim()) || passwords.has(text.trim().replace(ENDING, ''))
  return isUsed || new Set(characters).size === 1 || isRun(characters)
}
