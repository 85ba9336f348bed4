#!/usr/bin/env bash
# satcfdi 26.10.1 (PyPI), overtime (HorasExtra) of a Mexican payroll invoice.
# A good guess: two and a half hours of overtime are written as 2.5, or refused.
# What is so: they are written, and the same library cannot read the file: the schema of the tax
# authority has whole hours only. Who exports hours to the second has to decide what the rest becomes.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
python3 -m venv venv
venv/bin/pip install --quiet satcfdi==26.10.1
cat >ask.py <<'PY'
import re
from datetime import date
from decimal import Decimal

from satcfdi.cfdi import CFDI
from satcfdi.create.cfd import cfdi40, nomina12


def invoice(hours):
    overtime = nomina12.HorasExtra(dias=1, tipo_horas='01', horas_extra=hours, importe_pagado=Decimal(150))
    return cfdi40.Comprobante.nomina(
        emisor=cfdi40.Emisor('EKU9003173C9', 'ESCUELA KEMPER URGATE', regimen_fiscal='601'),
        lugar_expedicion='42501',
        receptor=cfdi40.Receptor('XAXX010101000', 'PUBLICO EN GENERAL', '42501', '605', 'CN01'),
        complemento_nomina=nomina12.Nomina(
            tipo_nomina='O', fecha_pago=date(2026, 11, 30), fecha_inicial_pago=date(2026, 11, 16),
            fecha_final_pago=date(2026, 11, 30), num_dias_pagados=Decimal(15),
            emisor=nomina12.Emisor(registro_patronal='Z0000001234'),
            receptor=nomina12.Receptor(
                curp='XEXX010101HNEXXXA4', tipo_contrato='01', tipo_regimen='02', num_empleado='00127',
                periodicidad_pago='04', clave_ent_fed='BCN', num_seguridad_social='00000000000',
                fecha_inicio_rel_laboral=date(2024, 1, 15), riesgo_puesto='1'),
            percepciones=nomina12.Percepciones(percepcion=nomina12.Percepcion(
                '019', '019', 'Horas extra', Decimal(100), Decimal(50), horas_extra=overtime)),
            deducciones=nomina12.Deducciones(nomina12.Deduccion('002', '002', 'ISR', Decimal(10)))),
    ).xml_bytes()


for hours in (Decimal(2), Decimal('2.5')):
    xml = invoice(hours)
    print('written:', re.search(rb'HorasExtra="([^"]*)"', xml).group(1).decode(), end=' | ')
    try:
        CFDI.from_string(xml)
        print('read')
    except ValueError as error:
        print('not read:', error)
PY
venv/bin/python ask.py | tee seen.txt
diff seen.txt - <<'SEEN'
written: 2 | read
written: 2.5 | not read: invalid literal for int() with base 10: '2.5'
SEEN
