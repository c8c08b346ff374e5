"""Django's settings: wiring only. What an operator may change stands in `environment.py`."""

import secrets

from celery.schedules import crontab
from csp.constants import NONE, SELF
from django.conf import global_settings
from django.conf.locale import LANG_INFO
from django.utils.translation import gettext_lazy as _

from config.environment import BASE_DIR, database, read
from config.logs import configure

TRAVA = read()

SECRET_KEY = TRAVA.SECRET_KEY.get_secret_value() or secrets.token_urlsafe(48)
DEBUG = TRAVA.DEBUG
ALLOWED_HOSTS = [host.strip() for host in TRAVA.ALLOWED_HOSTS.split(",") if host.strip()]
CSRF_TRUSTED_ORIGINS = [TRAVA.SITE_URL]

INSTALLED_APPS = [
    "daphne",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django.contrib.sitemaps",
    "django.forms",
    "channels",
    "django_htmx",
    "django_celery_beat",
    "axes",
    "csp",
    "metering",
    "records",
    "assistant",
    "evals",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "config.page_language.PageLanguage",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
    "config.list_queries.ListQueries",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

FORM_RENDERER = "django.forms.renderers.TemplatesSetting"  # our own widgets have their templates among ours

DATABASES = {"default": database(TRAVA)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
LOGIN_URL = "admin:login"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = 1  # hours
AXES_LOCKOUT_TEMPLATE = "locked.html"
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_IPWARE_PROXY_COUNT = TRAVA.TRUSTED_PROXIES or None

# Without EMAIL_URL nothing sends mail: no reset of passwords is routed, and no alert asks for it.
EMAIL_BACKEND = TRAVA.mail.backend if TRAVA.mail else "django.core.mail.backends.dummy.EmailBackend"
if TRAVA.mail:
    EMAIL_HOST = TRAVA.mail.host
    EMAIL_PORT = TRAVA.mail.port
    EMAIL_HOST_USER = TRAVA.mail.user
    EMAIL_HOST_PASSWORD = TRAVA.mail.password
    EMAIL_USE_TLS = TRAVA.mail.starttls
    EMAIL_USE_SSL = TRAVA.mail.tls
EMAIL_TIMEOUT = 10  # seconds
DEFAULT_FROM_EMAIL = TRAVA.DEFAULT_FROM_EMAIL
PASSWORD_RESET_TIMEOUT = 3600  # seconds

LANGUAGE_CODE = "en"
LANGUAGES = [
    ("en", _("English")),
    ("fa", _("Persian")),
    ("ar", _("Arabic")),
    ("es", _("Spanish")),
    ("pt", _("Portuguese")),
    ("fr", _("French")),
    ("de", _("German")),
    ("ru", _("Russian")),
    ("hi", _("Hindi")),
    ("zh", _("Chinese")),
]
LANG_INFO["zh"] = {**LANG_INFO["zh-hans"], "code": "zh"}  # Django knows Chinese by its scripts alone
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = TRAVA.TIME_ZONE
USE_TZ = True

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = TRAVA.STATIC_ROOT or None
WHITENOISE_USE_FINDERS = not STATIC_ROOT
if STATIC_ROOT:
    STORAGES = {
        **global_settings.STORAGES,
        "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
    }

# No inline code anywhere, the admin included; no third-party request.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
SECURE_REFERRER_POLICY = "same-origin"
_https = TRAVA.SITE_URL.startswith("https://")
SESSION_COOKIE_SECURE = _https
# No cookie beyond the session: the token of forms and the admin's messages live in it.
CSRF_USE_SESSIONS = True
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
SECURE_HSTS_SECONDS = 31_536_000 if _https else 0
if TRAVA.TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

CELERY_BROKER_URL = TRAVA.celery_broker_url
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # the worker outlives a queue that is away for hours
# Publishing must not hang on a dead queue: the sweep finds what it could not announce.
CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_connect_timeout": 1, "socket_timeout": 3, "max_retries": 0}
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_IGNORE_RESULT = True  # the state of work is in PostgreSQL
CELERY_TIMEZONE = TRAVA.TIME_ZONE
CELERY_BEAT_SCHEDULER = "config.beat:Scheduler"
_EVERY_MINUTE = (
    "metering.tasks.expire_overdue",
    "records.tasks.sweep",
    "records.tasks.tell_alerts",
    "assistant.tasks.sweep",
    "evals.tasks.after_imports",
    "evals.tasks.group_questions",
)
# Beat's schedule is in the database: the owner moves these hours in the admin, and ends the weekly mail there.
_NIGHTLY = ("evals.tasks.live_check",)
_MONDAYS = ("evals.tasks.weekly_mail",)
# Once a day would do. But a site that is never up at that hour of the night would never do it.
_EVERY_HOUR = ("assistant.tasks.erase_expired", "assistant.tasks.clear_sessions", "metering.tasks.forget_shares")
CELERY_BEAT_SCHEDULE = {
    **{name: {"task": name, "schedule": 60.0, "options": {"expire_seconds": 55}} for name in _EVERY_MINUTE},
    **{
        name: {"task": name, "schedule": crontab(minute="30"), "options": {"expire_seconds": 3500}}
        for name in _EVERY_HOUR
    },
    **{
        name: {"task": name, "schedule": crontab(minute="20", hour="3"), "options": {"expire_seconds": 7200}}
        for name in _NIGHTLY
    },
    **{
        name: {
            "task": name,
            "schedule": crontab(minute="0", hour="7", day_of_week="mon"),
            "options": {"expire_seconds": 86_400},
        }
        for name in _MONDAYS
    },
}

ANSWERS_CITING = "assistant.citing.answers_citing"  # records ask it before the owner takes something back
CITATION_OPENED = "assistant.openings.opened"  # records tell it that a cited version was opened
PHRASE_BENCH = "evals.phrase_bench.panel"  # the page of a refusal phrase asks it what the phrase would refuse
REHEARSAL = "evals.before_publishing.desk.panel"  # a record's pages ask it for the button that tries a publication out
TURN_CASE = "evals.own_case_admin.panel"  # a turn's page in the admin asks it for the buttons that make a case of it

LOGGING = configure()
CELERY_WORKER_HIJACK_ROOT_LOGGER = False  # its own format would tell exceptions with their values
