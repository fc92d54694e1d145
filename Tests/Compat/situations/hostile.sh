# SPDX-License-Identifier: MIT
# Hostile text: names of programs, files and functions, labels and arguments with terminal escapes, markup, newlines,
# invalid UTF-8 and great length. Every output stays text: no control bytes, well-formed JSON, XML and HTML, bounded lines.
. "$(dirname "$0")/common.sh"
need gcc python3
python3 - "$GENMARK" "$PRELOAD" "$here" <<'END'
import json, os, subprocess, sys, xml.dom.minidom
genmark, preload, here = sys.argv[1:]
evil = b'\x1b[31m\x1b]0;x\x07<script>alert(1)</script>&amp;"\'`$(id)\xff\xfe\xe2\x80\xae %s%n\x9b2J'
evil_path = evil      # not UTF-8 either
folder = b'work' + evil_path.replace(b'/', b'_')
os.mkdir(folder)
program = os.path.join(folder, b'actor\n' + evil.replace(b'/', b'_')[:60])
subprocess.run(['gcc', '-std=gnu11', '-g', '-O1', '-fno-builtin', '-o', program, f'{here}/../../Programs/actor.c'], check=True)
labels = [evil, b'line\nbreak\r\ttab', b'<b>&]]>', b'a' * 100000, b'\xf0\x9f', b'=1+1', b'\xc2\x9b31m']
words = ['repeat', '8', 'leak']
for label in labels:
    words += ['mark-bytes', label.hex()[:8000]]
words += ['end']
trace = os.path.join(folder, b'trace' + evil_path.replace(b'/', b'_')[:80] + b'.genmark')
environment = {os.fsencode(k): os.fsencode(v) for k, v in os.environ.items()}
environment.update({b'LD_PRELOAD': os.fsencode(preload), b'GENMARK_OUTPUT': os.path.join(os.getcwdb(), trace.replace(b'%', b'%%'))})
subprocess.run([program] + [w.encode() for w in words] + [b'say', evil], env=environment, stdout=subprocess.DEVNULL, check=True)

def plain(data, machine=False):
    bad = [b for b in data if (b < 32 and b not in (9, 10)) or b == 127]
    text = data.decode('utf-8')      # raises when it is not
    bad += [c for c in text if 0x80 <= ord(c) < 0xa0 or 0x202a <= ord(c) <= 0x202e or 0x2066 <= ord(c) <= 0x2069]
    if bad and not (machine and set(bad) <= {13}):
        raise ValueError(f'control bytes {bad[:5]!r}')
    longest = max(map(len, text.splitlines() or ['']))
    return longest

commands = [['generations'], ['generations', '--by', 'call-site'], ['marks'], ['growth', '--all'], ['diff', '0..end'],
            ['diff', '0..end', '--by', 'tree'], ['check'], ['growth', '--all', '--json'], ['generations', '--json'], ['marks', '--json'],
            ['diff', '0..end', '--json'], ['check', '--json']]
for command in commands:
    arguments = [genmark, command[0], trace] + command[1:]
    done = subprocess.run(arguments, capture_output=True)
    name = ' '.join(command)
    try:
        if done.returncode > 3 or done.returncode < 0:
            raise ValueError(f'status {done.returncode}')
        longest = plain(done.stdout)
        plain(done.stderr)
        if '--json' in command:
            json.loads(done.stdout)
        elif longest > 8000:
            raise ValueError(f'a line of {longest} characters')
        print('ok  ', name)
    except Exception as wrong:
        print('FAIL', name, str(wrong)[:300], done.stderr[:200])
for form, check in (('folded', None), ('speedscope', json.loads), ('csv', None)):
    done = subprocess.run([genmark, 'export', trace, '--format', form], capture_output=True)
    try:
        if done.returncode != 0:
            raise ValueError(f'status {done.returncode} {done.stderr[-200:]!r}')
        plain(done.stdout, machine=True)
        if check and done.stdout:
            check(done.stdout)
        print('ok   export', form)
    except Exception as wrong:
        print('FAIL export', form, str(wrong)[:300])
for form, parse in (('junit', xml.dom.minidom.parseString), ('sarif', json.loads), ('json', json.loads), ('markdown', None)):
    subprocess.run([genmark, 'check', trace, '--report', f'{form}=report.out'], capture_output=True)
    try:
        with open('report.out', 'rb') as file:
            data = file.read()
        os.unlink('report.out')
        plain(data)
        if parse:
            parse(data)
        if b'<script>alert' in data and form in ('junit', 'markdown'):
            raise ValueError('markup of a label stands as markup')
        print('ok   check --report', form)
    except Exception as wrong:
        print('FAIL check --report', form, str(wrong)[:300])
if subprocess.run([genmark, 'report', '--help'], capture_output=True).returncode == 0:
    done = subprocess.run([genmark, 'report', trace, '-o', 'report.html'], capture_output=True)
    try:
        with open('report.html', 'rb') as file:
            data = file.read()
        plain(data)
        if b'<script>alert' in data or b'&amp;&quot;<b>' in data:
            raise ValueError('markup of a label stands as markup')
        print('ok   report')
    except Exception as wrong:
        print('FAIL report', str(wrong)[:300], done.stderr[-200:])
END
[ $? = 0 ] || echo "FAIL the script ended early"
exit 0
