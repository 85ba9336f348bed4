"""Drives the clock simulator of django-fingerprint-attendance, which nobody of this project wrote.

Usage: clock-simulator.py ORIGIN SERIAL FIRMWARE NUMBER FIRST_PUNCH
It plugs the clock in, and reads commands from its standard input, one a line: `connect`, `punch`,
`unplug` (100 punches are kept meanwhile), `plug`. It answers each with a line of JSON.
"""
import json
import sys
from datetime import datetime, timedelta
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from os.path import dirname, join
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

# The package's other modules need Django, which is not installed.
PACKAGE = dirname(find_spec('fingerprint_attendance').origin)
SPEC = spec_from_file_location('simulator', join(PACKAGE, 'testing', 'simulator.py'))
simulator = module_from_spec(SPEC)
sys.modules['simulator'] = simulator
SPEC.loader.exec_module(simulator)

origin, serial, firmware, number, first = sys.argv[1:]


class Answer:
    def __init__(self, status_code, content):
        self.status_code, self.content = status_code, content


class Client:
    """The part of Django's test client that the simulator uses."""

    def send(self, request):
        try:
            with urlopen(request) as response:
                return Answer(response.status, response.read())
        except HTTPError as error:
            return Answer(error.code, error.read())

    def get(self, path, params, **_):
        return self.send(Request(f'{origin}{path}?{urlencode(params)}'))

    def post(self, url, data, content_type, **_):
        return self.send(Request(origin + url, data=data, headers={'Content-Type': content_type}))


clock = simulator.ADMSDeviceSimulator(Client(), serial=serial, firmware=firmware)
moment = datetime.fromisoformat(first)


def connect():
    try:
        return clock.handshake()
    except AssertionError as error:
        return str(error)


def punch():
    clock.punch(number, moment)
    clock.enroll_at_device(number, 1, name='Ana')
    clock.push_user(number, 'Ana')
    return {'commands': clock.run_commands(), 'uploaded': clock.uploaded}


def unplug():
    clock.go_offline()
    for i in range(1, 101):
        clock.punch(number, moment + timedelta(seconds=i), status=i % 2)
    return {'kept': len(clock.pending())}


def plug():
    answers = clock.go_online()
    return {'answers': [answer.text for answer in answers], 'kept': len(clock.pending())}


for line in sys.stdin:
    act = {'connect': connect, 'punch': punch, 'unplug': unplug, 'plug': plug}[line.strip()]
    print(json.dumps(act()), flush=True)
