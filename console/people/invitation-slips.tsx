import { Definitions } from '../ui/definitions.tsx'
import { signInNumber } from '../ui/text.ts'
import { hasZones, shortMoment, zoneName, zoneOf } from '../ui/time.ts'
import type { Slip } from './invitations.queries.ts'
import { QrCode } from './qr-code.tsx'

const OneSlip = ({ slip: { employee, email, url, expires_at } }: { slip: Slip }) => {
  const zone = zoneOf(employee.branch_office)
  return (
    <li class="slip">
      <div>
        <h2>{employee.full_name}</h2>
        <Definitions
          items={[
            ['Número', employee.employee_id],
            ['Entras con', signInNumber(email) ? 'tu número y tu contraseña' : email],
            [
              'Sirve hasta el',
              `${shortMoment(expires_at, zone)}${hasZones() ? `, ${zoneName(zone)}` : ''}`,
            ],
          ]}
        />
      </div>
      <QrCode text={url} label={`Código QR del enlace de ${employee.full_name}`} />
      <p class="note">
        Escanea el código o escribe esta dirección, y pon tu contraseña. Es solo para ti y sirve una
        vez.
      </p>
      <p class="url">{url}</p>
    </li>
  )
}

/** The slips to cut out, one for each person. */
export const Slips = ({ slips }: { slips: Slip[] }) => (
  <ul class="slips">
    {slips.map((slip) => (
      <OneSlip key={slip.employee_id} slip={slip} />
    ))}
  </ul>
)
