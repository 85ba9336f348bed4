/**
 * The most used passwords of 8 characters or more, from published lists of leaked ones, with those
 * of Mexico and the names of this service. Shorter ones are refused by their length.
 */
const COMMON =
  '12345678 123456789 1234567890 12345678910 0123456789 987654321 87654321 0987654321 123123123 ' +
  '12341234 11111111 00000000 88888888 99999999 22222222 55555555 66666666 77777777 11223344 ' +
  '1122334455 123321123 12344321 147258369 159357456 1q2w3e4r 1q2w3e4r5t 1qaz2wsx q1w2e3r4 ' +
  'q1w2e3r4t5 qazwsxedc zaq12wsx qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234 asdfghjk ' +
  'asdfghjkl asdf1234 zxcvbnm1 abcd1234 abc12345 abcdefgh a1b2c3d4 aa123456 a1234567 a12345678 ' +
  'password password1 password12 password123 passw0rd p@ssw0rd p@ssword pass1234 letmein1 ' +
  'iloveyou iloveyou1 princess sunshine football baseball superman starwars computer whatever ' +
  'trustno1 welcome1 welcome123 dragon123 monkey123 master123 michelle jennifer jessica1 ' +
  'samantha liverpool charlie1 internet administrator admin123 admin1234 administrador ' +
  'contraseña contraseña1 contrasena contrasena1 contraseña123 contrasena123 clave123 clave1234 ' +
  'bienvenido bienvenida bienvenido1 teamo123 tequiero tequieromucho teamomucho teamoteamo ' +
  'mexico123 mexico2025 mexico2026 mexico2027 guadalupe alejandro alejandra fernando fernanda ' +
  'gabriela gabriel1 carlos123 daniel123 eduardo1 estrella estrellita corazon1 mariposa princesa ' +
  'chocolate barcelona realmadrid america1 aguilas1 chivas123 pumas123 cruzazul jesus123 ' +
  'jesucristo diosesamor diosteama familia1 familia123 mifamilia perrito1 empresa1 empresa123 ' +
  'trabajo1 trabajo123 temporal temporal1 temporal123 usuario1 usuario123 checada1 checada123 ' +
  'checador asistencia'

const passwords = new Set(COMMON.split(' '))

/** Whether a password is one of the most used, in any letter case. */
export const isCommonPassword = (password: string): boolean =>
  passwords.has(password.trim().toLowerCase())
