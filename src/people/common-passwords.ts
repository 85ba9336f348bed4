/**
 * The most used passwords of 8 characters or more, from published lists of leaked ones, with those
 * of Mexico and the names of this service. Shorter ones are refused by their length.
 */
const COMMON =
  '12345678910 987654321 87654321 0987654321 123123123 12341234 11223344 1122334455 123321123 ' +
  '12344321 147258369 159357456 1q2w3e4r 1q2w3e4r5t 1qaz2wsx q1w2e3r4 q1w2e3r4t5 qazwsxedc ' +
  'zaq12wsx qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234 asdfghjk asdfghjkl asdf1234 ' +
  'zxcvbnm1 abcd1234 abc12345 a1b2c3d4 aa123456 a1234567 a12345678 password password1 ' +
  'password12 password123 passw0rd p@ssw0rd p@ssword pass1234 letmein1 iloveyou iloveyou1 ' +
  'princess sunshine football baseball superman starwars computer whatever trustno1 welcome1 ' +
  'welcome123 dragon123 monkey123 master123 michelle jennifer jessica1 samantha liverpool ' +
  'charlie1 internet administrator admin123 admin1234 administrador contraseña contraseña1 ' +
  'contrasena contrasena1 contraseña123 contrasena123 clave123 clave1234 bienvenido bienvenida ' +
  'bienvenido1 teamo123 tequiero tequieromucho teamomucho teamoteamo mexico123 mexico2025 ' +
  'mexico2026 mexico2027 guadalupe alejandro alejandra fernando fernanda gabriela gabriel1 ' +
  'carlos123 daniel123 eduardo1 estrella estrellita corazon1 mariposa princesa chocolate ' +
  'barcelona realmadrid america1 aguilas1 chivas123 pumas123 cruzazul jesus123 jesucristo ' +
  'diosesamor diosteama familia1 familia123 mifamilia perrito1 empresa1 empresa123 trabajo1 ' +
  'trabajo123 temporal temporal1 temporal123 usuario1 usuario123 checada1 checada123 checador ' +
  'asistencia password1! password1234 password! pass12345 passpass passw0rd1 p@ssw0rd1 ' +
  'qwerty12345 qwerty123456 qwer1234 1234qwer 123qweasd qweasdzxc asdqwe123 asd12345 asdasd123 ' +
  'asdfasdf asdfgh123 qazwsx123 1qazxsw2 12qwaszx q1w2e3r4t5y6 zxcvbnm123 123456789a 1234567a ' +
  '12345678a a123456789 123456aa 123456abc abc123456 abcd12345 abc123abc 12345qwert 147852369 ' +
  '741852963 963852741 789456123 123654789 321654987 14789632 25802580 10203040 01020304 ' +
  '102030405060 12121212 10101010 13131313 12312312 123454321 112233445566 98765432 9876543210 ' +
  '11111112 111222333 20202020 football1 baseball1 basketball superman1 batman123 spiderman ' +
  'sunshine1 princess1 babygirl1 iloveyou2 iloveyou123 iloveyou! charlie123 hello123 hello1234 ' +
  'killer123 freedom1 computer1 whatever1 changeme changeme1 changeme123 default1 guest123 ' +
  'test1234 testtest user1234 root1234 login123 secret123 letmein123 welcome! welcome2 ' +
  'admin12345 admin@123 administrator1 minecraft pokemon123 naruto123 shadow123 michael1 ' +
  'jordan23 samsung1 samsung123 google123 facebook facebook1 whatsapp contraseña12 contrasena12 ' +
  'contraseña1234 contrasenia micontraseña micontrasena secreto123 secreto1 cambiame cambiame1 ' +
  'cambiame123 hola1234 hola12345 holahola holamundo prueba123 prueba1234 clave12345 miclave1 ' +
  'miclave123 tequiero1 tequiero123 teamo1234 teamo12345 amor1234 amor12345 amoramor amorcito ' +
  'miamor123 mivida123 amoreterno mexico12 mexico1234 mexico2023 mexico2024 mexico2028 colombia ' +
  'colombia1 venezuela argentina españa123 espana123 guadalupe1 lupita123 alejandro1 alejandra1 ' +
  'fernando1 fernanda1 francisco sebastian santiago valentina carolina cristina leonardo ' +
  'veronica margarita angelica patricia mauricio esperanza roberto1 ricardo1 antonio1 ' +
  'ricardo123 andrea123 daniela1 daniela123 mariana1 dios1234 diosesbueno cristo123 jesus1234 ' +
  'jesusteamo jesucristo1 bendicion futbol123 barcelona1 realmadrid1 america123 rayados1 ' +
  'tigres123 pumas1234 chivas1234 monterrey tijuana1 cruzazul1 mariposa1 princesa1 chocolate1 ' +
  'estrella1 familia1234 sistemas sistemas1 soporte1 soporte123 recursos1 nomina123 oficina1 ' +
  'oficina123 checador1 checador123 asistencia1'

const passwords = new Set(COMMON.split(' '))

/** Whether each character follows the one before it: 23456789, abcdefgh. After 9 comes 0. */
const isRun = (characters: readonly string[]): boolean =>
  characters.every((character, i) => {
    const before = characters[i - 1]
    if (before === undefined) return true
    const next = before === '9' ? '0' : String.fromCodePoint((before.codePointAt(0) ?? 0) + 1)
    return character === next
  })

/** Whether a password is one of the most used, in any letter case, one character, or a run. */
export const isCommonPassword = (password: string): boolean => {
  const text = password.normalize('NFC').toLowerCase()
  const characters = [...text]
  return passwords.has(text.trim()) || new Set(characters).size === 1 || isRun(characters)
}
