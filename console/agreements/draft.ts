/** What the user replaces in the draft by the key that verifies the seals. */
export const KEY_PLACE = '[LLAVE]'

/** The draft of docs/agreements.md. A lawyer of the company should confirm the words. */
export const DRAFT = `El trabajador y la empresa acuerdan que la jornada se registra de forma electrónica, con el reloj checador o la app. Cada registro se sella cada hora con la llave ${KEY_PLACE}. El trabajador puede ver sus registros, pedir su corrección y recibir copia de su evidencia y del sello más reciente, que cualquiera puede verificar sin el servicio.`
