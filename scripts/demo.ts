import { drizzle } from 'drizzle-orm/d1'
import {
  attendance_logs,
  clients,
  config_entries,
  employees,
  modules,
  users,
} from '../src/db/schema.ts'
import { emailKey } from '../src/domain/email.ts'
import { hashPassword } from '../src/domain/passwords.ts'

/** Everyone of the demo signs in with this; the start-up says so. */
export const DEMO_PASSWORD = 'checada-demo'
export const DEMO_ADMIN = 'ana.torres@demo.mx'
export const DEMO_EMPLOYEE = 'luis.mendoza@demo.mx'

const EMPLOYEES = [
  {
    employee_id: 'E-001',
    full_name: 'Ana Torres Rivas',
    rfc: 'TORA850412AB1',
    phone: '5555010101',
    cellphone: '5512340001',
    started_at: '2019-03-04',
    job_position: 'Jefa de Recursos Humanos',
    department: 'Recursos Humanos',
    branch_office: 'Centro',
    profile_image: 'empleados/ana-torres.jpg',
  },
  {
    employee_id: 'E-002',
    full_name: 'Luis Mendoza Peña',
    rfc: 'MEPL920730CD2',
    phone: '5555010102',
    cellphone: '5512340002',
    started_at: '2022-08-15',
    job_position: 'Auxiliar de almacén',
    department: 'Almacén',
    branch_office: 'Norte',
    profile_image: 'empleados/luis-mendoza.jpg',
  },
]

const PEOPLE = [
  {
    email: DEMO_ADMIN,
    first_name: 'Ana',
    last_name: 'Torres',
    mother_last_name: 'Rivas',
    role: 'admin',
    active: 1,
    employee_id: 'E-001',
  },
  {
    email: DEMO_EMPLOYEE,
    first_name: 'Luis',
    last_name: 'Mendoza',
    mother_last_name: 'Peña',
    role: 'employee',
    active: 1,
    employee_id: 'E-002',
  },
  {
    email: 'raul.soto@demo.mx',
    first_name: 'Raúl',
    last_name: 'Soto',
    mother_last_name: 'Vega',
    role: 'employee',
    active: 0,
    employee_id: null,
  },
]

const MODULES = [
  ['checador', 'Checador', 'Registro de entradas y salidas', 'fa-solid fa-clock', true, true],
  ['incidencias', 'Incidencias', 'Revisión de checadas', 'fa-solid fa-list-check', true, true],
  ['nomina', 'Nómina', 'Cálculo de nómina', 'fa-solid fa-money-bill', true, false],
] as const

const CLIENTS = [
  ['DEMO-2026', 'Comercial Demo', 'activo', 'https://demo.example.com'],
  ['NORTE-01', 'Aceros del Norte', 'bloqueado', 'https://norte.example.com'],
] as const

const CONFIG = [
  ['logo', 'archivo', 'Logotipo', 'config/logo.png'],
  ['mensaje_bienvenida', 'texto', 'Mensaje de bienvenida', '¡Que tengas un buen día!'],
] as const

/** Five working days of entries and exits, waiting for review. */
const logs = () =>
  [2, 3, 4, 5, 6].flatMap((day) =>
    (
      [
        ['entrada', 'T15:00:00.000Z'],
        ['salida', 'T23:30:00.000Z'],
      ] as const
    ).map(([kind, time]) => ({
      employee_id: 'E-002',
      kind,
      recorded_at: `2026-11-0${day}${time}`,
    })),
  )

/** Loads the demo into an empty database, in one transaction; leaves any other as it is. */
export const loadDemo = async (d1: D1Database): Promise<boolean> => {
  const db = drizzle(d1)
  if ((await db.$count(users)) > 0) return false

  const password_hash = await hashPassword(DEMO_PASSWORD)
  await db.batch([
    db.insert(employees).values(EMPLOYEES),
    db.insert(users).values(
      PEOPLE.map((person) => ({
        ...person,
        email_key: emailKey(person.email),
        password_hash,
        type_user: 'interno',
        status_user: person.active === 1 ? 'activo' : 'baja',
      })),
    ),
    db.insert(modules).values(
      MODULES.map(([slug, name, description, icon, enabled, enabled_app]) => ({
        slug,
        name,
        description,
        icon,
        enabled,
        enabled_app,
      })),
    ),
    db
      .insert(clients)
      .values(CLIENTS.map(([code, name, status, url_base]) => ({ code, name, status, url_base }))),
    db
      .insert(config_entries)
      .values(CONFIG.map(([key, tipo, nombre, valor]) => ({ key, tipo, nombre, valor }))),
    db.insert(attendance_logs).values(logs()),
  ])
  return true
}
