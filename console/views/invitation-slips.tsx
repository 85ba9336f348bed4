import { encode } from 'uqr'
import type { Slip } from '../api/invitations.ts'
import { hasZones, shortMoment, zoneName, zoneOf } from '../time.ts'
import { Definitions } from '../ui/definitions.tsx'

/** The white edge that readers of QR codes need, in modules. */
const QUIET = 4

/** A QR code as one path, a rectangle for each run of dark modules in a row. */
const QrCode = ({ text, label }: { text: string; label: string }) => {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET })
  const runs = data.flatMap((row, y) =>
    [
      ...row
        .map((dark) => (dark ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
    ].map(({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`),
  )
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={runs.join('')} />
    </svg>
  )
}

const OneSlip = ({ slip: { employee, email, url, expires_at } }: { slip: Slip }) => {
  const zone = zoneOf(employee.branch_office)
  return (
    <li class="slip">
      <div>
        <h2>{employee.full_name}</h2>
        <Definitions
          items={[
            ['Número', employee.employee_id],
            ['Entras con', email],
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

/** The slips to cut out, one a person. */
export const Slips = ({ slips }: { slips: Slip[] }) => (
  <ul class="slips">
    {slips.map((slip) => (
      <OneSlip key={slip.employee_id} slip={slip} />
    ))}
  </ul>
)
