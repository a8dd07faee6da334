"""What makes a text a password: how it is read, how long it is, and which ones everybody tries first."""

import unicodedata
from collections.abc import Iterable

SHORTEST = 12
LONGEST = 1_024
_WORDS = """
000000000000 012345678910 0123456789ab 0987654321qwe 111111111111 111122223333 112233445566 121212121212
123123123123 123412341234 123454321123 1234567890-= 123456789012 1234567890123 12345678901234 1234567890ab
1234567890qw 123456789abc 123456abcdef 123456qwerty 1234qwerasdf 123qweasdzxc 159753159753 1q2w3e4r5t6y
1q2w3e4r5t6y7u 1qaz2wsx3edc 1qazxsw23edc 987654321012 9876543210ab a1b2c3d4e5f6 aa1234567890 aaaaaaaaaaaa
abc123456789 abc123abc123 abcabcabcabc abcd12345678 abcd1234abcd abcdef123456 abcdefgh1234 abcdefghijkl
abcdefghijklm admin1234567 admin12345678 admin123admin adminadmin123 adminadminadmin administrator
administrator1 adobe1234567 asdasdasdasd asdf1234asdf asdfasdfasdf asdfghjkl123 asdfghjkl;'\\ asdfghjklqwe
australia123 azertyuiop12 azertyuiop123 barcelona123 baseball1234 basketball12 changeit1234 changeme1234
changeme12345 changemenow1 chocolate123 companyname1 computer1234 correcthorse correcthorsebatterystaple
defaultpassword dragondragon elephant1234 facebook1234 football1234 footballfootball fuckyou12345
goldengolden hello1234567 helloworld12 helloworld123 helloworld1234 iloveyou1234 iloveyou12345
iloveyouforever iloveyousomuch internet1234 jennifer1234 jesuschrist1 letmein12345 letmein123456
letmeinletmein liverpool123 lovelovelove manchester12 mastermaster michael12345 monkey123456 monkeymonkey
mypassword12 mypassword123 mypassword1234 newpassword1 newpassword12 newpassword123 p@ssw0rd1234
p@ssw0rdp@ssw0rd p@ssword1234 pass12345678 pass123456789 passpasspass passw0rd1234 passw0rdpassw0rd
password0123 password1111 password1234 password12345 password123456 password1234567 password12345678
password123456789 password2024 password2025 password2026 password2027 passwordpassword passwort1234
pokemon12345 princess1234 q1w2e3r4t5y6 qazwsxedc123 qazwsxedcrfv qwe123qwe123 qweasdzxc123 qwer12345678
qwer1234asdf qwerasdfzxcv qwerqwerqwer qwerty123456 qwerty1234567 qwerty12345678 qwertyqwerty qwertyuiop12
qwertyuiop123 qwertyuiop1234567890 qwertyuiop[] qwertyuiopasdf qwertzuiop12 qwertzuiop123 rootrootroot
samsung12345 secret123456 secretpassword secretsecret setright1234 setrightsetright shadow123456
spiderman123 startrek1234 starwars1234 summer202400 summersummer sunshine1234 superman1234 superpassword
teamo1234567 temppassword temppassword1 test12345678 test1234test testpassword testpassword1 testtesttest
thisisapassword trustno1trustno1 unbelievable userpassword welcome12024 welcome12025 welcome12026
welcome12345 welcome123456 welcomewelcome whatever1234 winter202400 zaq12wsxcde3 zxcvbnm,./12 zxcvbnm12345
zxcvbnmasdfghjkl zxcvbnmzxcvbnm
"""
_LISTED = frozenset(_WORDS.split())


def as_read(text: str) -> str:
    """A password as it is hashed: however a keyboard composes its letters, they are the same letters."""
    return unicodedata.normalize("NFKC", text)


def password_fault(text: str, own_words: Iterable[str | None] = ()) -> tuple[str, str] | None:
    """Why a text is no password, and what is allowed; `own_words` are names and addresses of whose it would be."""
    read = as_read(text)
    if not SHORTEST <= len(read) <= LONGEST:
        return f"has {len(read)} characters", f"{SHORTEST} to {LONGEST} characters"
    folded = read.casefold()
    few = len(set(folded)) < 4
    if few or folded in _LISTED or _without_end(folded) in _LISTED:
        return "is one of those that are tried first", "a password that nobody else would think of"
    if any(word and folded in (as_read(word).casefold(), _local(word)) for word in own_words):
        return "is a name or an address of yours", "a password that says nothing about you"
    return None


def _without_end(folded: str) -> str:
    return folded.rstrip("!?.#$*")


def _local(word: str) -> str:
    return as_read(word).casefold().partition("@")[0]
