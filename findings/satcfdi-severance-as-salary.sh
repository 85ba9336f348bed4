#!/usr/bin/env bash
# satcfdi 26.10.1 (PyPI), the payroll supplement (nomina12) of a Mexican invoice.
# A good guess: TotalSueldos leaves out what is paid for a separation (023), which stands in
# TotalSeparacionIndemnizacion of Percepciones, as the tax authority's guide has it.
# What is so: TotalSueldos has both, and Percepciones has no total of the separation. A severance of
# 40,000 beside a salary of 5,000 is declared as a salary of 45,000.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
python3 -m venv venv
venv/bin/pip install --quiet satcfdi==26.10.1
cat >ask.py <<'PY'
from datetime import date
from decimal import Decimal

from satcfdi.create.cfd import nomina12

earnings = nomina12.Percepciones(percepcion=[
    nomina12.Percepcion('001', '001', 'Sueldo', Decimal(5000), Decimal(0)),
    nomina12.Percepcion('023', '023', 'Pagos por separación', Decimal(40000), Decimal(0)),
])
payroll = nomina12.Nomina(
    tipo_nomina='E', fecha_pago=date(2026, 11, 30), fecha_inicial_pago=date(2026, 11, 16),
    fecha_final_pago=date(2026, 11, 30), num_dias_pagados=Decimal(15),
    emisor=nomina12.Emisor(registro_patronal='Z0000001234'),
    receptor=nomina12.Receptor(
        curp='XEXX010101HNEXXXA4', tipo_contrato='01', tipo_regimen='02', num_empleado='00127',
        periodicidad_pago='04', clave_ent_fed='BCN', num_seguridad_social='00000000000',
        fecha_inicio_rel_laboral=date(2024, 1, 15), riesgo_puesto='1'),
    percepciones=earnings,
    deducciones=nomina12.Deducciones(nomina12.Deduccion('002', '002', 'ISR', Decimal(10))),
)
written = payroll['Percepciones']
print('TotalSueldos', written['TotalSueldos'])
print('TotalSeparacionIndemnizacion', written.get('TotalSeparacionIndemnizacion'))
PY
venv/bin/python ask.py | tee seen.txt
diff seen.txt - <<'SEEN'
TotalSueldos 45000
TotalSeparacionIndemnizacion None
SEEN
